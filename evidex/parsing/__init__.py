"""What does a document say, and where in its source does each word stand?"""
